/** How tokens name the server that issues them, and the API they open: its address with a slash at the end. */
export function issuerOf(publicUrl: string): string {
  return `${publicUrl.replace(/\/+$/, '')}/`
}

/** Whether a text names the API: with the slash at the end, or without. */
export function isAudience(text: string, publicUrl: string): boolean {
  const audience = issuerOf(publicUrl)
  return text === audience || `${text}/` === audience
}
