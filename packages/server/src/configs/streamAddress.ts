/** Where the changes of what an SDK key stands for are told as they happen. */
export function streamAddress(publicUrl: string, sdkKey: string): URL {
  const address = new URL(`${publicUrl.replace(/\/$/, '')}/event-stream`)
  address.searchParams.set('sdkKey', sdkKey)
  return address
}
