import murmurhash3 from 'murmurhash-js/murmurhash3_gc.js'

/**
 * MurmurHash3 (x86, 32 bit) of a text's UTF-8 bytes, unsigned (`evaluation.md` §3.1).
 * Every number that decides who gets what comes from here.
 */
export function hash(text: string, seed: number): number {
  const result = hashCharacters(text, seed)
  // ASCII text is its own UTF-8 bytes, and nearly every id is ASCII.
  return reading.isAscii ? result : hashCharacters(utf8(text), seed)
}

function hashCharacters(text: string, seed: number): number {
  reading.text = text
  reading.length = text.length
  reading.isAscii = true
  // The function reads `length` and `charCodeAt`, and nothing else of a string.
  return murmurhash3(reading as unknown as string, seed)
}

/** A text as the hash function reads it, one character at a time, that knows afterwards whether all of them were ASCII: looking for that beforehand would cost half as much as the hash. */
class Reading {
  text = ''
  length = 0
  isAscii = true

  charCodeAt(index: number): number {
    const code = this.text.charCodeAt(index)
    if (code > 0x7f) this.isAscii = false
    return code
  }
}

/** The one reading: hashing is synchronous, and a new one each time would cost more than it reads. */
const reading = new Reading()

/** The UTF-8 bytes of a text, one character each. Lone surrogates become U+FFFD, as in every encoder of the web. */
function utf8(text: string): string {
  // `unescape` is old, and still the one decoder of every engine that makes bytes of what `encodeURIComponent` writes.
  return unescape(encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd')))
}
