"use strict";
// Without this script all pages can be read and used; it adds keys, the theme and live pages.
const root = document.documentElement;
const prefix = root.dataset.prefix;
const all = (selector) => [...document.querySelectorAll(selector)];
root.classList.add("js");

// The theme: what the system wants, or light or dark by choice.
document.getElementById("theme").addEventListener("click", () => {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = root.dataset.theme || (dark ? "dark" : "light");
  root.dataset.theme = now === "dark" ? "light" : "dark";
  document.cookie = `theme=${root.dataset.theme}; path=/; max-age=31536000; samesite=strict`;
});

// On a phone the list of pages is wider than the screen.
const here = document.querySelector("nav [aria-current]");
if (here) here.closest("nav").scrollLeft = here.offsetLeft - 100;

// Claims: the one under the pointer or with the focus shows its sources.
const claims = all("[data-claim]");
function activate(claim) {
  for (const one of claims) one.classList.toggle("active", one === claim);
}
for (const claim of claims) {
  for (const kind of ["pointerenter", "focusin", "click"]) claim.addEventListener(kind, () => activate(claim));
}
if (claims.length) activate(claims.find((one) => `#${one.id}` === location.hash) || claims[0]);
addEventListener("hashchange", () => {
  const named = claims.find((one) => `#${one.id}` === location.hash);
  if (named) activate(named);
});

// The map of days is one stop of the Tab key; arrows move inside it.
const cells = all("[data-cell]");
if (cells.length) cells[0].setAttribute("tabindex", "0");
function place(cell) {
  const box = cell.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
}
function nearest(from, [dx, dy]) {
  const [x, y] = place(from);
  let best = null, least = Infinity;
  for (const cell of cells) {
    const [cx, cy] = place(cell);
    const ahead = (cx - x) * dx + (cy - y) * dy;
    const aside = Math.abs((cx - x) * dy) + Math.abs((cy - y) * dx);
    if (cell !== from && ahead > 2 && ahead + 4 * aside < least) [best, least] = [cell, ahead + 4 * aside];
  }
  return best;
}
const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
for (const cell of cells) {
  cell.addEventListener("keydown", (event) => {
    const next = arrows[event.key] && nearest(cell, arrows[event.key]);
    if (!next) return;
    event.preventDefault();
    cell.setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus();
  });
}

// Keys.
const keys = document.getElementById("keys");
const pages = { o: "/", t: "/timeline", w: "/wisdom", m: "/memories", r: "/review" };
let going = false;
function step(by) {
  const items = all("[data-item]").filter((one) => one.getClientRects().length);
  if (!items.length) return;
  const at = items.findIndex((one) => one.contains(document.activeElement));
  const next = items[at < 0 ? (by > 0 ? 0 : items.length - 1) : Math.min(Math.max(at + by, 0), items.length - 1)];
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: "nearest" });
}
function follow(rel) {
  const link = document.querySelector(`main a[rel="${rel}"]`);
  if (link) link.click();
}
const actions = {
  j: () => step(1),
  k: () => step(-1),
  "/": () => {
    const field = document.getElementById("ask") || document.getElementById("q");
    field.focus();
    field.select();
  },
  "?": () => (keys.open ? keys.close() : keys.showModal()),
  "[": () => follow("prev"),
  "]": () => follow("next"),
  a: () => decide("a"),
  x: () => decide("x"),
  g: () => { going = true; setTimeout(() => { going = false; }, 1000); },
};
document.getElementById("help").addEventListener("click", actions["?"]);
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select")) return;
  if (going && pages[event.key]) location.href = prefix + pages[event.key];
  else if (actions[event.key]) { event.preventDefault(); actions[event.key](); }
  else if (event.key === "Enter" && event.target.matches("li[data-item], div[data-item]")) {
    const link = event.target.querySelector("a[href]:not(.no), summary");
    if (link) link.click();
  }
});

// One key decides on the item with the focus: a approves, x rejects.
function decide(key) {
  const item = document.activeElement.closest("[data-item]");
  const button = item && item.querySelector(`button[data-key="${key}"]`);
  if (button) button.click();
}

// What is being written survives a reload and a restart of the server, until it is sent.
const sent = sessionStorage.getItem("sent");
sessionStorage.removeItem("sent");
if (sent && document.querySelector(".done")) localStorage.removeItem(sent);
for (const form of all("form[data-draft]")) {
  const field = form.querySelector("textarea");
  const name = `draft ${location.pathname} ${form.getAttribute("action")} ${form.dataset.draft}`;
  const kept = localStorage.getItem(name);
  if (kept) {
    field.value = kept;
    const around = form.closest("details");
    if (around) around.open = true;
  }
  field.addEventListener("input", () => localStorage.setItem(name, field.value));
  form.addEventListener("submit", () => sessionStorage.setItem("sent", name));
}

// Lists that change while the page is open: the server tells that something did, the page is read again,
// and what is marked fresh is put in place unless somebody is writing in it.
function fresh() {
  const request = new XMLHttpRequest();
  request.responseType = "document";
  request.open("GET", location.href);
  request.addEventListener("load", () => {
    if (request.status !== 200) return;
    for (const old of all("[data-fresh]")) {
      const now = request.response.getElementById(old.id);
      const busy = old.contains(document.activeElement) && document.activeElement.matches("input, textarea");
      if (now && !busy && !old.querySelector("details[open] form")) old.replaceWith(document.importNode(now, true));
    }
  });
  request.send();
}
if (document.querySelector("[data-fresh]")) {
  new EventSource(`${prefix}/events`).addEventListener("message", fresh);
}
