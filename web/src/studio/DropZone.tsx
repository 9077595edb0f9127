import { useEffect } from "react";
import { useStore } from "../state/store";
import type { Controller } from "./controller";
import { filesOf } from "./dropped";

/** Files dropped anywhere on the page are read. */
export function DropZone({ controller }: { controller: Controller }) {
  const dropping = useStore(controller.library, (s) => s.dropping);
  const uploading = useStore(controller.library, (s) => s.uploading);
  useEffect(() => {
    const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    const over = (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      controller.library.dispatch({ type: "dropping", on: true });
    };
    const leave = (event: DragEvent) => {
      // Leaving an element for another one of the page also says "leave"; only the window's edge has no next one.
      if (event.relatedTarget === null) controller.library.dispatch({ type: "dropping", on: false });
    };
    const drop = (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      controller.library.dispatch({ type: "dropping", on: false });
      if (event.dataTransfer) void filesOf(event.dataTransfer).then((files) => controller.upload(files));
    };
    addEventListener("dragover", over);
    addEventListener("dragleave", leave);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragover", over);
      removeEventListener("dragleave", leave);
      removeEventListener("drop", drop);
    };
  }, [controller]);
  if (dropping) return <div className="drop" aria-hidden="true"><p>Drop motion files to open them</p></div>;
  if (uploading) return <div className="uploading" role="status">Reading {uploading} …</div>;
  return null;
}
