import { compile, ofrepFlags } from '@burgee/core'
import cases from './cases.json' with { type: 'json' }

/**
 * Evaluates every case and returns a summary, which is the same on every runtime. Throws on the first mismatch. Uses
 * nothing but the language, because it also runs on workerd.
 */
export function check() {
  const fingerprints = cases.map(({ label, config, user, now, overrides, expected }) => {
    const evaluator = compile(config)
    const actual = evaluator.bucket(user, { now, overrides })
    for (const [property, value] of Object.entries(expected)) {
      const [got, wanted] = [actual[property], value].map(canonical)
      if (got !== wanted) throw new Error(`${label}: ${property} should be ${wanted}, got ${got}`)
    }
    return ofrepFlags(evaluator, { user }, { now, overrides }).fingerprint
  })
  return `${cases.length} cases, digest ${digest(fingerprints.join())}`
}

/** Returns a 32-bit hash of a text, to compare texts between runtimes. */
function digest(text) {
  let hash = 0
  for (let index = 0; index < text.length; index++) hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0
  return hash
}

/** Returns JSON with sorted properties. */
function canonical(value) {
  return JSON.stringify(value, (_, inner) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}
