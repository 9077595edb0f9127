import { useRef, type KeyboardEvent, type MouseEvent } from "react";
import type { TakeSummary } from "../protocol";
import { useStore } from "../state/store";
import { Icon } from "../ui/Icon";
import type { Controller } from "./controller";
import { found, grouped, isGhost } from "./library";

/** All takes, searched and grouped; a click opens one, the ghost at its end lays it over. */
export function TakeList({ controller, onOpenFiles }: { controller: Controller; onOpenFiles: () => void }) {
  const { library } = controller;
  const takes = useStore(library, (s) => s.takes);
  const search = useStore(library, (s) => s.search);
  const list = useRef<HTMLDivElement>(null);

  const onKey = (event: KeyboardEvent) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const lines = [...(list.current?.querySelectorAll<HTMLElement>(".take") ?? [])];
    const at = lines.indexOf(document.activeElement as HTMLElement);
    const next = lines[at < 0 ? 0 : at + (event.key === "ArrowDown" ? 1 : -1)];
    next?.focus();
    event.preventDefault();
  };

  return (
    <aside className="panel takes" aria-label="Takes" onKeyDown={onKey}>
      <div className="search">
        <Icon name="search" />
        <input
          id="search" type="search" placeholder="Search takes" aria-label="Search takes" aria-keyshortcuts="/" value={search}
          onChange={(event) => library.dispatch({ type: "search", text: event.target.value })}
          onKeyDown={(event) => {
            if (event.key !== "Escape") return;
            library.dispatch({ type: "search", text: "" });
            event.currentTarget.blur();
          }}
        />
      </div>
      <div className="scroll" ref={list}>
        {takes === null ? <Skeleton /> : <Groups takes={found(takes, search)} controller={controller} />}
        {takes !== null && found(takes, search).length === 0 && (
          <div className="nothing">
            <p>No take matches “{search}”.</p>
            <button type="button" className="plain" onClick={() => library.dispatch({ type: "search", text: "" })}>Show all takes</button>
          </div>
        )}
      </div>
      <button type="button" className="plain open-files" onClick={onOpenFiles}>
        <Icon name="open" />Open files… <span>or drop</span>
      </button>
    </aside>
  );
}

function Groups({ takes, controller }: { takes: readonly TakeSummary[]; controller: Controller }) {
  return grouped(takes).map((group) => (
    <section key={group.title} aria-label={group.title}>
      <h2>{group.title}</h2>
      {group.takes.map((take) => <Line key={take.id} take={take} controller={controller} />)}
    </section>
  ));
}

function Line({ take, controller }: { take: TakeSummary; controller: Controller }) {
  const { library } = controller;
  const open = useStore(library, (s) => s.figure?.id === take.id);
  const ghost = useStore(library, (s) => isGhost(s, take.id));
  const loading = useStore(library, (s) => s.asked.figure === take.id || s.asked.ghosts.includes(take.id));
  const choose = (event: MouseEvent) => {
    if (event.shiftKey) controller.toggleGhost(take.id);
    else void controller.open(take.id, "figure");
  };
  return (
    <div className={`line${open ? " open" : ""}${ghost ? " ghosted" : ""}${loading ? " loading" : ""}`}>
      <button type="button" className="take" aria-current={open} title={take.description} onClick={choose}>
        <b>{take.name}</b>
        <span>{take.description}</span>
      </button>
      <button
        type="button" className="as-ghost" aria-pressed={ghost} aria-label={`${take.name} as a ghost`}
        title={ghost ? "Take the ghost away" : "Compare it, as a ghost"} onClick={() => controller.toggleGhost(take.id)}
      >
        <Icon name="ghost" />
      </button>
    </div>
  );
}

function Skeleton() {
  return (
    <div className="waiting" aria-label="Loading the takes" role="status">
      {[72, 54, 63, 80, 47, 66].map((width) => <i key={width} style={{ width: `${width}%` }} />)}
    </div>
  );
}
