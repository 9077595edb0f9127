import { createRoot } from "react-dom/client";
import { createStore } from "../state/store";
import { initialViewer, viewer } from "../state/viewer";
import { systemTheme } from "../ui/useKeys";
import "../ui/theme.css";
import "../ui/controls.css";
import "./studio.css";
import { httpApi, takeToken } from "./api";
import { Controller } from "./controller";
import { emptyLibrary, library } from "./library";
import { StudioApp } from "./StudioApp";

const views = createStore(viewer, initialViewer);
views.dispatch({ type: "theme", to: systemTheme() });
const controller = new Controller(httpApi(takeToken()), createStore(library, emptyLibrary), views);
const page = document.getElementById("page");
if (!page) throw new Error("The page has lost its element #page.");
createRoot(page).render(<StudioApp controller={controller} />);
