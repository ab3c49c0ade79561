/** Leaves for the sign-in page, which comes back to the present address. */
export function leaveToSignIn(): void {
  location.assign(`/session/sign-in?to=${encodeURIComponent(location.pathname + location.search)}`)
}
