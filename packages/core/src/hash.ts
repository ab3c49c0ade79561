import murmurhash3 from 'murmurhash-js/murmurhash3_gc.js'

/**
 * MurmurHash3 (x86, 32 bit) of a text's UTF-8 bytes, unsigned (`evaluation.md` §3.1).
 * Every number that decides who gets what comes from here.
 */
export function hash(text: string, seed: number): number {
  return hashBytes(toBytes(text), seed)
}

/** The hash of bytes made by `toBytes`, for a text that is hashed with many seeds. */
export function hashBytes(bytes: string, seed: number): number {
  return murmurhash3(bytes, seed)
}

/** The UTF-8 bytes of a text, one character each. ASCII text is that already. */
export function toBytes(text: string): string {
  return isAscii(text) ? text : utf8(text)
}

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    if (text.charCodeAt(index) > 0x7f) return false
  }
  return true
}

/** Lone surrogates become U+FFFD, as in every encoder of the web. */
function utf8(text: string): string {
  let bytes = ''
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0
    const code = point >= 0xd800 && point <= 0xdfff ? 0xfffd : point
    if (code < 0x80) bytes += String.fromCharCode(code)
    else if (code < 0x800) bytes += String.fromCharCode(0xc0 | (code >> 6), tail(code))
    else if (code < 0x10000) bytes += String.fromCharCode(0xe0 | (code >> 12), tail(code >> 6), tail(code))
    else bytes += String.fromCharCode(0xf0 | (code >> 18), tail(code >> 12), tail(code >> 6), tail(code))
  }
  return bytes
}

function tail(code: number): number {
  return 0x80 | (code & 0x3f)
}
