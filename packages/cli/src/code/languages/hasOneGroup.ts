/** Whether a text is a regular expression with exactly one group. */
export function hasOneGroup(text: string): boolean {
  try {
    return new RegExp(`${text}|`).exec('')?.length === 2
  } catch {
    return false
  }
}
