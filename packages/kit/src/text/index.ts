export { formatIssues } from './formatIssues.ts'
export { formatValue } from './formatValue.ts'
export { type JsonSize, measureJson } from './measureJson.ts'
export { escapeControlCharacters, escapeInvisibleCharacters, escapeUnicode, sanitizeLine } from './sanitize.ts'
