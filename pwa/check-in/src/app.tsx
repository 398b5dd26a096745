import type { ComponentType } from "preact";
import DayScreen from "./screens/day/index.tsx";
import SignInScreen from "./screens/sign-in/index.tsx";
import { session } from "./state/device-session.ts";
import { isAppLocked, route } from "./state/route.ts";
import { lazy } from "./ui/lazy.tsx";

const SCREENS: Readonly<Record<string, ComponentType>> = {
  "sign-in": SignInScreen,
  day: DayScreen,
  booking: lazy(() => import("./screens/booking/index.tsx")),
  transfer: lazy(() => import("./screens/transfer/index.tsx")),
  work: lazy(() => import("./screens/work/index.tsx")),
  "walk-in": lazy(() => import("./screens/walk-in/index.tsx")),
  outbox: lazy(() => import("./screens/outbox/index.tsx")),
  office: lazy(() => import("./screens/review/index.tsx")),
  more: lazy(() => import("./screens/more/index.tsx")),
};

const LockScreen = lazy(() => import("./screens/lock/index.tsx"));

/** Screens hidden once the server has rejected the session. Work in progress stays available. */
const LISTS: ReadonlySet<string> = new Set(["day", "transfer", "office", "walk-in"]);

/** Renders the screen of the route, or the sign-in screen if the user is signed out. */
export function App() {
  const { value: currentSession } = session;
  if (!currentSession || (currentSession.expired && LISTS.has(route.value[0] ?? "day"))) return <SignInScreen />;
  if (isAppLocked.value) return <LockScreen />;
  const Screen = SCREENS[route.value[0] ?? "day"] ?? DayScreen;
  return <Screen />;
}
