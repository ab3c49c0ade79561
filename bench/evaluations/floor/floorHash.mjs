/** Returns the seed of a rule's hashes, computed as in Burgee. */
export function seedOf(targetId) {
  return murmur3(targetId, 1)
}

/** Returns the values of a rule in Burgee's order, each with the exclusive upper bound of its range of hashes. */
export function limitsOf(serve) {
  let share = 0
  return [...serve]
    .sort((a, b) => (a.value < b.value ? 1 : -1))
    .map(({ value, share: own }) => {
      share += own
      return { value, limit: share === 100 ? Number.POSITIVE_INFINITY : (share / 100) * 0xffffffff }
    })
}

/** Converts a version of up to three parts to one number. */
export function atLeast(version) {
  let number = 0
  let part = 0
  let dots = 0
  for (let index = 0; index < version.length; index++) {
    const code = version.charCodeAt(index)
    if (code === 46) {
      number = (number + part) * 100_000
      part = 0
      dots++
    } else part = part * 10 + code - 48
  }
  number += part
  for (; dots < 2; dots++) number *= 100_000
  return number
}

/** MurmurHash3 (x86, 32 bit) of ASCII text. */
export function murmur3(text, seed) {
  let hash = seed
  const { length } = text
  const end = length & ~3
  let index = 0
  for (; index < end; index += 4) {
    const word =
      text.charCodeAt(index) |
      (text.charCodeAt(index + 1) << 8) |
      (text.charCodeAt(index + 2) << 16) |
      (text.charCodeAt(index + 3) << 24)
    hash ^= scramble(word)
    hash = (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64) | 0
  }
  let rest = 0
  for (let shift = 0; index < length; index++, shift += 8) rest |= text.charCodeAt(index) << shift
  hash ^= scramble(rest) ^ length
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

function scramble(word) {
  const mixed = Math.imul(word, 0xcc9e2d51)
  return Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593)
}
