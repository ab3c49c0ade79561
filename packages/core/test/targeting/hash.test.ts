import fc from 'fast-check'
import murmurhash3 from 'murmurhash-js/murmurhash3_gc.js'
import { expect, test } from 'vitest'
import { hash } from '../../src/targeting/hash.ts'

test('equals murmurhash-js on the UTF-8 bytes of every text', () => {
  const unit = fc.oneof(fc.constantFrom('é', '漢', '😀', '\ud800', '\u007f', '\u0080', '\u0100'), fc.string())
  const text = fc.oneof(
    fc.string(),
    fc.array(unit).map((units) => units.join(''))
  )
  fc.assert(
    fc.property(text, fc.integer({ min: 0, max: 0xffffffff }), (text, seed) => {
      // One character per byte, as murmurhash-js expects it.
      const bytes = Buffer.from(text, 'utf8').toString('latin1')
      expect(hash(text, seed) >>> 0).toBe(murmurhash3(bytes, seed))
    }),
    { numRuns: 1000 }
  )
})
