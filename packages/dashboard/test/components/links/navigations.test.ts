import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const src = new URL('../../../src/', import.meta.url)

/** They open another page immediately, where the person asks for it. */
const immediate = ['shell/ShortcutKeys.tsx', 'shell/palette/GoToDialog.tsx']

// Elsewhere another page opens after a write, and a person may have left by then.
test('pages open another page with useNavigateFromHere', () => {
  const opensAnother = (path: string) => {
    const text = readFileSync(new URL(path, src), 'utf8')
    return /\buseNavigate\(/.test(text) && /\bnavigate\(\{\s*to: (?!'\.')/.test(text)
  }
  const files = readdirSync(src, { encoding: 'utf8', recursive: true }).filter((path) => /\.tsx?$/.test(path))
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter(opensAnother).sort()).toEqual(immediate)
})
