import { clearForUser } from '../draft/persistence.ts'

/** Removes what the tab holds of a person, except drafts that they keep, and shows the sign-in page. */
export function leaveTab(user: string, keepsDrafts: boolean): void {
  clearForUser(sessionStorage, user, { keepsDrafts })
  location.assign('/')
}
