/** Goes to the sign-in page, which returns to the current address. */
export function leaveToSignIn(): void {
  location.assign(`/session/sign-in?to=${encodeURIComponent(location.pathname + location.search)}`)
}

/** Opens the sign-in page in a popup, or goes to it if the browser blocks popups. */
export function openSignIn(): void {
  const opened = window.open('/session/sign-in?popup=1', 'burgee-sign-in', 'popup,width=480,height=720')
  if (!opened) leaveToSignIn()
}

let hadSession = false
let isGivenUp = false
let waiting: ((isSignedIn: boolean) => void)[] = []

/**
 * Sends a request. If the session has ended while the page was open, waits until the person has signed in again, and
 * repeats the request once.
 */
export async function sendWithSession(send: (isRepeated: boolean) => Promise<Response>): Promise<Response> {
  const response = await send(false)
  if (response.status !== 401) {
    hadSession ||= response.ok
    return response
  }
  if (!hadSession || isGivenUp) return response
  const isSignedIn = await new Promise<boolean>((resolve) => {
    waiting.push(resolve)
  })
  return isSignedIn ? send(true) : response
}

/** Repeats the requests that waited for a sign-in. */
export function repeatRequests(): void {
  isGivenUp = false
  release(true)
}

/** Rejects waiting and further requests until the person has signed in. */
export function giveUpRequests(): void {
  isGivenUp = true
  release(false)
}

function release(isSignedIn: boolean): void {
  const released = waiting
  waiting = []
  for (const resolve of released) resolve(isSignedIn)
}

/** The name of the channel between the tabs of a browser, on which the window of the sign-in reports too. */
const CHANNEL = 'burgee-dashboard'

type Message =
  | { readonly type: 'signed-in' }
  /** Whether the person keeps their drafts, which are in each tab. */
  | { readonly type: 'signed-out'; readonly keepsDrafts: boolean }

/** Informs the other tabs. */
export function announce(message: Message): void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.postMessage(message)
  channel.close()
}

/** Calls a function with the messages of the other tabs; returns how to end that. */
export function listen(onMessage: (message: Message) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL)
  // Only pages of this server can post here.
  channel.onmessage = ({ data }: MessageEvent<Message>) => onMessage(data)
  return () => channel.close()
}
