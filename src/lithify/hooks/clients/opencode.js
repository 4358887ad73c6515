// Lithify's gate for OpenCode: every tool call asks, and a closed gate throws.
// While no gate is closed and the list of triggers does not name the call, that is one look for two
// files; Python starts only when there is something to decide or to record.

import { spawn } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"

const PYTHON = "@PYTHON@"
const ROOT = "@ROOT@"
const SERVER = "@SERVER@" // the words that start the MCP server, if there is one
const MARK = join(ROOT, ".lithify", "gate", "closed")
const CALLS = join(ROOT, ".lithify", "moment", "calls")
const AFTER = /^(question|webfetch|websearch|.+_.+)$/

const BROKEN = "lithify: the hook does not start. What is wrong: lithify doctor"

// Whether a text has some words one after the other. A regular expression would take too long.
const holds = (text, words) => {
  let at = 0
  return words.every((word) => {
    const found = text.indexOf(word, at)
    at = found + word.length
    return found >= 0
  })
}

// Whether the list of triggers names a call; one that cannot be read is left to Python.
const isNamed = (sent) => {
  if (!existsSync(CALLS)) return false
  try {
    const lines = readFileSync(CALLS, "utf8").split("\n").filter(Boolean)
    const text = JSON.stringify(sent).toLowerCase()
    return lines.some((line) => line === "." || holds(text, line.replaceAll("\\", "").split(".*")))
  } catch {
    return true
  }
}

const run = (event, sent) =>
  new Promise((resolve) => {
    const words = ["-I", "-m", "lithify.hooks", event, "--harness", "opencode", "--root", ROOT]
    const child = spawn(PYTHON, words, { stdio: ["pipe", "pipe", "ignore"] })
    let said = ""
    child.stdout.setEncoding("utf8")
    child.stdout.on("data", (text) => (said += text))
    child.stdin.on("error", () => {})
    child.on("error", () => resolve({ person: BROKEN }))
    child.on("close", (code) => {
      if (code === 0) return resolve(said.trim() ? JSON.parse(said) : {})
      // 1 is a package that is gone; anything else is a guard that was stopped.
      resolve(code === 1 ? { person: BROKEN } : { broken: BROKEN })
    })
    child.stdin.end(JSON.stringify(sent))
  })

export const Lithify = async ({ client, directory }) => {
  const parents = new Map() // a subagent's session, and the one that started it
  const begun = new Map() // what a session starts with
  let inner // the prompts of agents that OpenCode runs for itself: titles, compaction
  let noted = Promise.resolve() // last answers on their way to the record

  const parentOf = async (session) => {
    if (!parents.has(session)) {
      const found = await client?.session?.get({ path: { id: session } }).catch(() => undefined)
      parents.set(session, found?.data?.parentID ?? "")
    }
    return parents.get(session)
  }

  const ask = async (event, session, sent = {}) => {
    const parent = await parentOf(session)
    const who = parent ? { session_id: parent, agent_id: session } : { session_id: session }
    const reply = await run(event, { cwd: directory, hook_event_name: event, ...who, ...sent })
    if (reply.person) {
      const toast = { body: { message: reply.person, variant: "warning" } }
      await client?.tui?.showToast(toast).catch(() => undefined)
    }
    return reply
  }

  const begin = async (session) => {
    begun.set(session, (await ask("SessionStart", session, { source: "startup" })).context ?? "")
  }

  // A title or a compaction is asked for in the name of the same session, with a prompt of its own.
  const isInner = async (system) => {
    if (!inner) {
      const found = await client?.app?.agents().catch(() => undefined)
      inner = (found?.data ?? []).filter((one) => one.hidden && one.prompt).map((one) => one.prompt)
    }
    return inner.some((prompt) => system?.[0]?.startsWith(prompt))
  }

  const noteAnswer = async (session) => {
    if (!begun.has(session) || (await parentOf(session))) return
    const found = await client?.session?.messages({ path: { id: session } }).catch(() => undefined)
    const last = found?.data?.findLast((one) => one.info?.role === "assistant")
    const spoken = (last?.parts ?? []).filter((part) => part.type === "text" && !part.synthetic)
    const text = spoken.map((part) => part.text).join("\n")
    if (text) await ask("Stop", session, { last_assistant_message: text })
  }

  return {
    config: async (config) => {
      if (SERVER.length) config.mcp = { lithify: { type: "local", command: SERVER }, ...config.mcp }
    },

    event: async ({ event }) => {
      const info = event?.properties?.info
      if (event?.type === "session.created" && info?.id) parents.set(info.id, info.parentID ?? "")
      if (event?.type === "session.idle") {
        const session = event.properties.sessionID
        noted = noted.then(() => noteAnswer(session))
        await noted
      }
      if (event?.type === "session.deleted" && info?.id && !(await parentOf(info.id))) {
        begun.delete(info.id)
        await ask("SessionEnd", info.id)
      }
    },

    // The program ends, and with it the sessions that were worked on.
    dispose: async () => {
      await noted
      await Promise.all([...begun.keys()].map((session) => ask("SessionEnd", session)))
      begun.clear()
    },

    "chat.message": async (input, output) => {
      // What a subagent is told is its parent's work, not the person's word.
      if (await parentOf(input.sessionID)) return
      if (!begun.has(input.sessionID)) await begin(input.sessionID)
      const spoken = output.parts.filter((part) => part.type === "text" && !part.synthetic)
      const prompt = spoken.map((part) => part.text).join("\n")
      if (!prompt.trim()) return
      const { context } = await ask("UserPromptSubmit", input.sessionID, { prompt })
      // It stays with what the session began with, because a prompt takes nothing else.
      if (context) begun.set(input.sessionID, `${begun.get(input.sessionID)}\n\n${context}`)
    },

    "experimental.chat.system.transform": async (input, output) => {
      const text = begun.get(input?.sessionID)
      if (text && !(await isInner(output.system))) output.system.push(text)
    },

    "experimental.session.compacting": async (input, output) => {
      const { context } = await ask("PreCompact", input.sessionID, { trigger: "auto" })
      if (context) output.context.push(context)
      await begin(input.sessionID)
    },

    "tool.execute.before": async (input, output) => {
      const sent = { tool_name: input.tool, tool_input: output.args ?? {} }
      if (!existsSync(MARK) && !isNamed(sent)) return
      const reply = await ask("PreToolUse", input.sessionID, sent)
      if (reply.deny || reply.broken) throw new Error(reply.deny || reply.broken)
    },

    "tool.execute.after": async (input, output) => {
      if (!AFTER.test(input.tool)) return
      // An MCP tool gives its own result in place of a text.
      const sent = { tool_input: input.args ?? {}, tool_response: output?.output ?? output }
      await ask("PostToolUse", input.sessionID, { tool_name: input.tool, ...sent })
    },
  }
}
