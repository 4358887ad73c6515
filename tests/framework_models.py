"""For each framework a model without a network: it remembers, recalls or logs by the words it hears.

`python framework_models.py FRAMEWORK CODE SAID` runs an example of the guide with it, in this process.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def chosen(said: str) -> tuple[str, dict[str, str]]:
    """The tool that is called for what a person says, and its arguments."""
    if said.startswith("Remember: "):
        return "remember", {"statement": said.removeprefix("Remember: "), "type": "feedback"}
    if said.endswith("?"):
        return "recall", {"query": said}
    return "log_entry", {"text": said}


def langgraph() -> Any:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessage, ToolMessage
    from langchain_core.outputs import ChatGeneration, ChatResult

    class Model(BaseChatModel):
        @property
        def _llm_type(self) -> str:
            return "words"

        def bind_tools(self, tools: Sequence[Any], **_: Any) -> Any:
            return self

        def _generate(self, messages: Any, *_: Any, **__: Any) -> ChatResult:
            last = messages[-1]
            if isinstance(last, ToolMessage):
                answer = AIMessage(last.text if isinstance(last.text, str) else last.text())
            else:
                name, given = chosen(last.content)
                answer = AIMessage("", tool_calls=[{"name": name, "args": given, "id": "1"}])
            return ChatResult(generations=[ChatGeneration(message=answer)])

    return Model()


def openai_agents() -> Any:
    from agents import Model, ModelResponse, Usage, set_tracing_disabled
    from openai.types.responses import (
        ResponseFunctionToolCall,
        ResponseOutputMessage,
        ResponseOutputText,
    )

    set_tracing_disabled(True)

    class Words(Model):
        async def get_response(
            self, system_instructions: str | None, input: Any, *_: Any, **__: Any
        ) -> ModelResponse:
            assert "What earlier sessions left" in (system_instructions or "")
            last = input if isinstance(input, str) else input[-1]
            said = last if isinstance(last, str) else last.get("content", "")
            out: Any
            if isinstance(last, dict) and last.get("type") == "function_call_output":
                text = ResponseOutputText(text=last["output"], type="output_text", annotations=[])
                out = ResponseOutputMessage(
                    id="1", content=[text], role="assistant", status="completed", type="message"
                )
            else:
                name, given = chosen(said)
                out = ResponseFunctionToolCall(
                    name=name, arguments=json.dumps(given), call_id="1", type="function_call"
                )
            return ModelResponse(output=[out], usage=Usage(), response_id=None)

        def stream_response(self, *_: Any, **__: Any) -> Any:
            raise NotImplementedError

    return Words()


def pydantic_ai() -> Any:
    from pydantic_ai.messages import (
        ModelMessage,
        ModelResponse,
        SystemPromptPart,
        TextPart,
        ToolCallPart,
        ToolReturnPart,
    )
    from pydantic_ai.models.function import AgentInfo, FunctionModel

    def answer(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
        known = messages[0].parts[0]
        assert isinstance(known, SystemPromptPart) and "earlier sessions left" in known.content
        last = messages[-1].parts[-1]
        if isinstance(last, ToolReturnPart):
            return ModelResponse([TextPart(str(last.content))])
        return ModelResponse([ToolCallPart(*chosen(str(last.content)))])

    return FunctionModel(answer)


def llamaindex() -> Any:
    from llama_index.core.base.llms.types import ChatMessage, ChatResponse, MessageRole
    from llama_index.core.llms.mock import MockLLM

    class Words(MockLLM):
        async def achat(self, messages: Sequence[ChatMessage], **_: Any) -> ChatResponse:
            known = "\n".join(one.content or "" for one in messages[:-1])
            assert "What earlier sessions left" in known
            return ChatResponse(message=ChatMessage(role=MessageRole.ASSISTANT, content=known))

    return Words()


if __name__ == "__main__":
    framework, code, said = sys.argv[1:]
    names: dict[str, Any] = {}
    exec(Path(code).read_text("utf-8"), names)
    print(asyncio.run(names["conversation"](globals()[framework]())(said)))
