// What a page does by itself: it hears of changes, tells ages, and "/" searches.
// Everything else works without this file.
"use strict";

// Parts of a page that ask for "changed from:body" are loaded again when
// something happens in a session; a page of one session hears of that one only.
const settled = 400; // ms without another change
const atMost = 2000; // ms that a part waits while changes go on
let source, waiting, since, missed = false;

function changed() {
  clearTimeout(waiting);
  since ??= Date.now();
  const wait = Math.max(0, Math.min(settled, since + atMost - Date.now()));
  waiting = setTimeout(() => {
    since = undefined;
    htmx.trigger(document.body, "changed");
  }, wait);
}

function concerns(change) {
  const only = document.getElementById("main").querySelector("[data-session]");
  return !only || only.dataset.session === change.session;
}

function say(state, text) {
  const pulse = document.getElementById("pulse");
  if (pulse.dataset.state === state) return;
  pulse.dataset.state = state;
  pulse.textContent = text;
}

function listen() {
  if (source || document.hidden) return;
  source = new EventSource("/api/v1/events");
  source.onopen = () => {
    say("live", "live");
    if (missed) changed();
    missed = true; // when it opens again, something may have happened meanwhile
  };
  source.addEventListener("change", (event) => {
    if (concerns(JSON.parse(event.data))) changed();
  });
  source.onerror = () => {
    say("away", "the daemon does not answer");
    // Refused, not away: a daemon that started anew knows no browser.
    if (source.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), 5000);
  };
}

// A browser opens six connections to one place: a page nobody sees takes none.
function rest() {
  if (!document.hidden) return listen();
  source?.close();
  source = undefined;
}

function age(at) {
  const minutes = Math.floor((Date.now() - at) / 60000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return minutes + " min ago";
  if (minutes < 48 * 60) return Math.floor(minutes / 60) + " h ago";
  return Math.floor(minutes / 60 / 24) + " d ago";
}

function tellAges() {
  for (const time of document.querySelectorAll("time[datetime]:not([data-clock], [data-told])")) {
    const text = age(Date.parse(time.dateTime));
    if (time.textContent !== text) time.textContent = text;
  }
}

// Times of a timeline come in UTC, as agents write them; they are told by the
// clock on the wall.
const clock = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });

function tellClocks() {
  for (const time of document.querySelectorAll("time[data-clock]")) {
    time.textContent = clock.format(Date.parse(time.dateTime));
    delete time.dataset.clock;
    time.dataset.told = "";
  }
}

// An address may name a line that this part of a session does not show.
function findLine() {
  const line = /^#L(\d+)$/.exec(location.hash);
  const session = document.querySelector("[data-session]");
  if (line && session && !document.getElementById(line[0].slice(1))) location.replace("?line=" + line[1] + "#at");
}

// Entries of lists: j and k go from one to the next. The link of an entry has the
// focus, so that Enter opens it.
const entries = "main .rows > li, main .cards > li, main .hits > li, main .past > li, main .decisions > li, main #events > li.event";

function goesOn(step) {
  const all = [...document.querySelectorAll(entries)].filter((entry) => entry.getClientRects().length > 0);
  if (all.length === 0) return;
  const at = all.findIndex((entry) => entry.classList.contains("current") || entry.contains(document.activeElement));
  const next = all[at < 0 ? (step > 0 ? 0 : all.length - 1) : Math.min(all.length - 1, Math.max(0, at + step))];
  for (const entry of document.querySelectorAll("main .current")) entry.classList.remove("current");
  next.classList.add("current");
  next.querySelector("a[href]")?.focus({ preventScroll: true });
  next.scrollIntoView({ block: "nearest" });
}

function pressed(event) {
  if ((event.ctrlKey || event.metaKey) && event.key === "k") return searches(event);
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, textarea, select, dialog")) return;
  switch (event.key) {
    case "/": return searches(event);
    case "j": return goesOn(1);
    case "k": return goesOn(-1);
    case "?": return document.getElementById("keys")?.showModal();
  }
}

// A button that copies is of use with scripts alone.
function showCopies() {
  for (const button of document.querySelectorAll(".copy[hidden]")) button.hidden = false;
}

async function copies(event) {
  const button = event.target.closest(".copy");
  if (!button) return;
  const from = button.dataset.copyFrom && document.getElementById(button.dataset.copyFrom);
  try {
    await navigator.clipboard.writeText(from ? from.textContent : button.dataset.copy);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Not allowed";
  }
  setTimeout(() => { button.textContent = "Copy"; }, 2000);
}

function searches(event) {
  const field = document.querySelector("[data-find]");
  if (!field) return;
  event.preventDefault();
  field.focus();
  field.select();
}

// A part that is replaced keeps what the person did there: the link that has the
// focus, and what was opened.
let kept;

function keep(event) {
  const part = event.detail.target;
  const opened = [...part.querySelectorAll("details[open] > summary")].map((summary) => summary.textContent);
  kept = { focus: part.contains(document.activeElement) && document.activeElement.getAttribute("href"), opened };
}

function giveBack() {
  if (!kept) return;
  for (const summary of document.querySelectorAll("main details:not([open]) > summary")) {
    if (kept.opened.includes(summary.textContent)) summary.parentElement.open = true;
  }
  if (kept.focus && document.activeElement === document.body) {
    document.querySelector(`main a[href="${CSS.escape(kept.focus)}"]`)?.focus({ preventScroll: true });
  }
  kept = undefined;
}

document.addEventListener("visibilitychange", rest);
document.addEventListener("keydown", pressed);
document.addEventListener("click", copies);
document.addEventListener("htmx:afterSettle", showCopies);
document.addEventListener("htmx:beforeSwap", keep);
document.addEventListener("htmx:afterSettle", giveBack);
document.addEventListener("htmx:afterSettle", tellClocks);
setInterval(tellAges, 30000);
tellClocks();
showCopies();
findLine();
listen();
