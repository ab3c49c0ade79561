import murmurhash3 from 'murmurhash-js/murmurhash3_gc.js'

/**
 * Returns the MurmurHash3 (x86, 32 bit) of a text's UTF-8 bytes as an unsigned integer. Every bucketing decision uses
 * it (docs/reference/evaluation.md, Hashing and buckets).
 */
export function hash(text: string, seed: number): number {
  const result = hashCodeUnits(text, seed)
  // The code units of ASCII text are its UTF-8 bytes. Nearly every id is ASCII.
  return reader.isAscii ? result : hashCodeUnits(toByteString(text), seed)
}

function hashCodeUnits(text: string, seed: number): number {
  reader.text = text
  reader.length = text.length
  reader.isAscii = true
  // murmurhash3 reads nothing of a string but `length` and `charCodeAt`.
  return murmurhash3(reader as unknown as string, seed)
}

/** A stand-in for a string that records whether all code units were ASCII. Checking beforehand costs half a hash. */
class AsciiReader {
  text = ''
  length = 0
  isAscii = true

  charCodeAt(index: number): number {
    const code = this.text.charCodeAt(index)
    if (code > 0x7f) this.isAscii = false
    return code
  }
}

/** Shared, because hashing is synchronous and an allocation per hash is measurable. */
const reader = new AsciiReader()

/** Returns the UTF-8 bytes of a text, one per character. Lone surrogates become U+FFFD, as with `TextEncoder`. */
function toByteString(text: string): string {
  // `TextEncoder` is not part of the language. The deprecated `unescape` is, in every engine.
  return unescape(encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd')))
}
