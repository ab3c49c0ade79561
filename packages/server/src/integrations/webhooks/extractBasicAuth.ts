/** An address as it is called: a user and a password in it go into a header, as basic authentication has them (RFC 7617). */
export function extractBasicAuth(address: string): { readonly url: string; readonly authorization?: string } {
  const url = new URL(address)
  const { username, password } = url
  if (username === '' && password === '') return { url: address }
  url.username = ''
  url.password = ''
  const credential = Buffer.from(`${decodeComponent(username)}:${decodeComponent(password)}`).toString('base64')
  return { url: url.href, authorization: `Basic ${credential}` }
}

/** As it was meant, where it is written as addresses ask for it. */
function decodeComponent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
