import { useState } from 'react'
import { issueAt } from './issues.ts'

/** The problem that an error response names at a member of the body, until the value of its field changes. */
export function useIssueAt(error: Error | null, path: string, value: string): string | undefined {
  const [refused, setRefused] = useState({ error, value })
  if (refused.error !== error) setRefused({ error, value })
  return refused.value === value ? issueAt(error, path) : undefined
}
