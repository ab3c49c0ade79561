import { MAX_ASSISTANT_NAME_LENGTH } from '@burgee/contract/schemas'
import { sanitizeLine } from '@burgee/kit/text'
import type { Context } from 'koa'
import { z } from 'zod'
import { parseChangeSource } from './parseChangeSource.ts'

/**
 * What the program calls itself that an assistant runs in, as the assistant's tools say it in the header
 * `burgee-referrer-metadata` (`management.md` §1). Nobody has checked it, so it decides nothing.
 */
export function parseAssistant(ctx: Context): string | undefined {
  if (parseChangeSource(ctx) !== 'mcp') return undefined
  const { assistant = '' } = metadataIn(ctx.get('burgee-referrer-metadata'))
  // A character of two halves may have been cut into them.
  return (
    sanitizeLine(assistant)
      .slice(0, MAX_ASSISTANT_NAME_LENGTH)
      .replace(/\p{Cs}$/u, '')
      .trimEnd() || undefined
  )
}

const Metadata = z.object({ assistant: z.string().optional() })

/** What the header says, as far as it can be read: a request is not refused for what only tells of it. */
function metadataIn(header: string): z.infer<typeof Metadata> {
  try {
    return Metadata.parse(JSON.parse(header))
  } catch {
    return {}
  }
}
