// Everything works without this script. It exchanges what has changed, sends forms without leaving the page, and keeps
// questions from being answered by a click that was meant for something else.
"use strict";
(() => {
  const key = document.body.dataset.form;
  const topics = new Set(document.body.dataset.topics.split(" "));
  const note = document.getElementById("note");
  const away = document.getElementById("away");
  const pause = 500;

  // MARK: Exchanging what has changed

  // As the server sent them: what the script changes itself is no difference.
  let sent = new Map();
  for (const part of document.querySelectorAll("[data-key]")) sent.set(part.dataset.key, part.outerHTML);

  const isTyping = (part) => {
    const active = document.activeElement;
    return part.contains(active) && /^(INPUT|TEXTAREA|SELECT)$/.test(active.tagName) && active.type !== "hidden";
  };

  const isFilled = (field) => {
    if (field.type === "file") return field.files.length > 0;
    if (field.tagName === "SELECT") {
      const first = [...field.options].findIndex((option) => option.defaultSelected);
      return field.selectedIndex !== Math.max(first, field.size > 1 ? -1 : 0);
    }
    if (/^(checkbox|radio)$/.test(field.type)) return field.checked !== field.defaultChecked;
    return field.type !== "hidden" && field.value !== field.defaultValue;
  };

  // What somebody has written or chosen is not taken away, wherever the focus is by now.
  const isBusy = (part) => isTyping(part) || [...part.querySelectorAll("input, textarea, select")].some(isFilled);

  const keepingFocus = (change) => {
    const id = document.activeElement && document.activeElement.id;
    change();
    const again = id && document.getElementById(id);
    if (again && document.activeElement !== again) again.focus({ preventScroll: true });
  };

  const keysIn = (root) => [...root.querySelectorAll("#content [data-key]")].map((part) => part.dataset.key).join("\n");

  let sentContent = (document.getElementById("content") || {}).innerHTML;

  // `form` is the form that is answered, which has been read.
  const exchange = (text, form) => {
    const isKept = (part) => isBusy(part) && !(form && part.contains(form));
    const next = new Map();
    const fresh = new DOMParser().parseFromString(text, "text/html");
    if (!fresh.getElementById("content")) return location.reload();
    for (const part of fresh.querySelectorAll("[data-key]")) next.set(part.dataset.key, part.outerHTML);
    keepingFocus(() => {
      const content = document.getElementById("content");
      const source = fresh.getElementById("content");
      // What answers a form stays until its reader goes on, or sends another.
      const isAnswer = !form && content.hasAttribute("data-answer");
      if (form) content.toggleAttribute("data-answer", source.hasAttribute("data-answer"));
      const isSameList = isAnswer || (keysIn(fresh) === keysIn(document) && keysIn(fresh) !== "");
      const freshContent = source.innerHTML;
      if (!isSameList && (form || freshContent !== sentContent) && !isKept(content)) {
        content.replaceChildren(...source.childNodes);
        sentContent = freshContent;
      }
      for (const part of [...fresh.querySelectorAll("[data-key]")]) {
        const name = part.dataset.key;
        const old = document.querySelector(`[data-key="${CSS.escape(name)}"]`);
        if (!old || old === part || sent.get(name) === next.get(name) || (isAnswer && content.contains(old))) continue;
        if (isKept(old)) next.set(name, sent.get(name)); else old.replaceWith(part);
      }
    });
    sent = next;
    watchQuestion();
  };

  let asking = false;
  let again = false;
  const refresh = async () => {
    if (asking) { again = true; return; }
    asking = true;
    try {
      const answer = await fetch(location.href, { headers: { "X-Annex-Page": key }, cache: "no-store" });
      if (answer.status === 403) return gone();
      exchange(await answer.text());
      away.hidden = true;
    } catch {
      away.hidden = false;
    } finally {
      asking = false;
      if (again) { again = false; refresh(); }
    }
  };

  const gone = () => {
    away.textContent = "The host was started again. Open the address that it printed.";
    away.hidden = false;
  };

  // MARK: One stream for a browser, however many tabs

  const channel = new BroadcastChannel("annex-page");
  const heard = (names) => { if (names.some((name) => topics.has(name))) refresh(); };
  channel.onmessage = (event) => {
    if (event.data === "away") away.hidden = false; else heard(event.data);
  };

  const lead = () => new Promise(() => {
    let wasAway = false;
    const stream = new EventSource("live");
    stream.onopen = () => {
      if (wasAway) { wasAway = false; channel.postMessage([...topics, "*"]); }
      refresh();
    };
    stream.onmessage = (event) => {
      const names = event.data.split(" ");
      channel.postMessage(names);
      heard(names);
    };
    stream.onerror = () => {
      wasAway = true;
      away.hidden = false;
      channel.postMessage("away");
      // A stream that was refused does not try again by itself: maybe the host was started again.
      if (stream.readyState === EventSource.CLOSED) setInterval(refresh, 1000);
    };
  });
  if (navigator.locks) navigator.locks.request("annex-page-stream", lead); else lead();
  document.addEventListener("visibilitychange", () => { if (!document.hidden) refresh(); });

  // MARK: Forms

  const say = (text, isWrong) => {
    note.textContent = text;
    note.classList.toggle("wrong", isWrong);
  };

  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (form.method !== "post" || form.hasAttribute("data-plain") || form.enctype === "multipart/form-data") return;
    event.preventDefault();
    const fields = new URLSearchParams(new FormData(form, event.submitter));
    const address = form.getAttribute("action") || location.href;
    try {
      const answer = await fetch(address, { method: "POST", body: fields, headers: { "X-Annex-Page": key } });
      if (answer.headers.get("Content-Type").startsWith("text/html")) {
        exchange(await answer.text(), form);
      } else {
        say(await answer.text(), !answer.ok);
        const content = document.getElementById("content");
        if (answer.ok && content.contains(form)) content.removeAttribute("data-answer");
        refresh();
      }
    } catch {
      away.hidden = false;
    }
  });

  // MARK: Questions

  let timer;
  let shown = null;
  const watchQuestion = () => {
    const question = document.querySelector("[data-question]");
    const isNew = question && question.dataset.question !== shown;
    shown = question ? question.dataset.question : null;
    if (!question) return;
    if (isNew) {
      question.classList.add("arrived");
      if (!isTyping(document.body)) document.getElementById("question-title").focus({ preventScroll: true });
      question.scrollIntoView({ block: "nearest" });
    }
    wait();
  };

  // The buttons work when the question was in sight, with focus, for long enough.
  const wait = () => {
    clearTimeout(timer);
    const buttons = document.querySelectorAll("[data-waits]");
    for (const button of buttons) button.disabled = true;
    if (!buttons.length || !document.hasFocus()) return;
    timer = setTimeout(() => { for (const button of document.querySelectorAll("[data-waits]")) button.disabled = false; }, pause);
  };
  addEventListener("focus", wait);
  addEventListener("blur", wait);

  watchQuestion();
})();
