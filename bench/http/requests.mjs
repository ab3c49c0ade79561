/** The requests as bytes. */
let requests = []
let next = 0

/** Sets the requests that `nextRequest` returns in turn, and returns the answer to the parent process. */
export function setRequests(texts) {
  requests = texts.map((text) => Buffer.from(text))
  return { count: requests.length }
}

export function nextRequest() {
  return requests[next++ % requests.length]
}
