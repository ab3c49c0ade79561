/**
 * Returns the MurmurHash3 (x86, 32 bit) of a text's UTF-8 bytes. Every bucketing decision uses it
 * (docs/reference/evaluation.md, Hashing and buckets; docs/adr/0099-own-hash.md).
 *
 * The result is a signed integer, which V8 returns without an allocation; it would allocate 16 bytes for half of the
 * unsigned ones.
 *
 * `isBytes` means that `text` has one character per byte.
 */
export function hash(text: string, seed: number, isBytes = false): number {
  const { length } = text
  let state = seed
  let seen = 0
  let index = 0
  for (; index + 4 <= length; index += 4) {
    // Reading the code units of a word one by one, in the loop below, takes a third longer.
    const first = text.charCodeAt(index)
    const second = text.charCodeAt(index + 1)
    const third = text.charCodeAt(index + 2)
    const fourth = text.charCodeAt(index + 3)
    seen |= first | second | third | fourth
    state ^= scramble(first | (second << 8) | (third << 16) | (fourth << 24))
    state = (Math.imul((state << 13) | (state >>> 19), 5) + 0xe6546b64) | 0
  }
  let rest = 0
  for (; index < length; index++) {
    const unit = text.charCodeAt(index)
    seen |= unit
    // The distance of a shift is modulo 32.
    rest |= unit << (index << 3)
  }
  // The code units of ASCII text are its UTF-8 bytes. Nearly every id is ASCII. Checking beforehand costs half a hash.
  if (seen > 0x7f && !isBytes) return hash(toByteString(text), seed, true)
  state ^= scramble(rest) ^ length
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35)
  return state ^ (state >>> 16)
}

function scramble(word: number): number {
  const mixed = Math.imul(word, 0xcc9e2d51)
  return Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593)
}

/** Returns the UTF-8 bytes of a text, one per character. Lone surrogates become U+FFFD, as with `TextEncoder`. */
function toByteString(text: string): string {
  // `TextEncoder` is not part of the language. The deprecated `unescape` is, in every engine.
  return unescape(encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd')))
}
