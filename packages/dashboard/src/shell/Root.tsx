import { Outlet } from '@tanstack/react-router'

/** The outermost route, which renders the matched page. */
export function Root() {
  return <Outlet />
}
