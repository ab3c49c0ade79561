/** Returns whether a path matches one of the globs: `*`, `?`, `**` and `{a,b}`. A glob without `/` matches file names. */
export function globMatcher(globs: readonly string[]): (path: string) => boolean {
  const patterns = globs.map((glob) => new RegExp(`^${toPattern(glob.includes('/') ? glob : `**/${glob}`)}$`))
  return (path) => patterns.some((pattern) => pattern.test(path))
}

function toPattern(glob: string): string {
  return glob
    .replace(/^\.?\//, '')
    .split(/(\*\*\/|\*\*|\*|\?|\{[^{}]*\})/)
    .map((part) => {
      if (part === '**/') return '(?:.*/)?'
      if (part === '**') return '.*'
      if (part === '*') return '[^/]*'
      if (part === '?') return '[^/]'
      if (part.startsWith('{')) return `(?:${part.slice(1, -1).split(',').map(escapePattern).join('|')})`
      return escapePattern(part)
    })
    .join('')
}

function escapePattern(text: string): string {
  return text.replace(/[.+^$()|[\]\\]/g, '\\$&')
}
