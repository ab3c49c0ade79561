/** How tokens name the server that issues them, and the API they open: its address with a slash at the end. */
export function toIssuer(publicUrl: string): string {
  return `${publicUrl.replace(/\/+$/, '')}/`
}
