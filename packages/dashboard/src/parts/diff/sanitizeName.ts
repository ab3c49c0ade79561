/** A name within a sentence: control and direction characters, which could reorder the sentence, become visible. */
export function sanitizeName(name: string): string {
  return name.replace(/[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu, '\uFFFD')
}
