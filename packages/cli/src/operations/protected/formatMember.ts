import { isRecord } from '@burgee/kit'
import { escapeLine } from '@burgee/kit/text'
import { formatCell } from '../../output/formatValue.ts'

/** Formats the change of a member of a request: `type: production → development`. */
export function formatMember(name: string, before: unknown, after: unknown): string {
  const [old, current] = [before, after].map((value) =>
    isRecord(value) || Array.isArray(value) ? '' : formatCell(value)
  )
  if (current === '') return `  ${name} changes: ${escapeLine(formatCell(after))}`
  return escapeLine(old === '' || old === undefined ? `  ${name}: ${current}` : `  ${name}: ${old} → ${current}`)
}
