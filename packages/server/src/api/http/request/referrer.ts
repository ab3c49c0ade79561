import { ChangeSource, MAX_ASSISTANT_NAME_LENGTH } from '@burgee/contract/schemas'
import { sanitizeLine } from '@burgee/kit/text'
import type { Context } from 'koa'
import { z } from 'zod'

/**
 * Returns the kind of tool that sent a request, by its header `burgee-referrer`; `api` if it names no known one.
 * OpenFeature's command line sends only its `User-Agent`.
 */
export function parseChangeSource(ctx: Context): ChangeSource {
  const usual = ctx.get('user-agent').startsWith('openfeature-cli/') ? 'cli' : 'api'
  return ChangeSource.safeParse(ctx.get('burgee-referrer')).data ?? usual
}

/**
 * Returns the name of the program that an assistant runs in, by the header `burgee-referrer-metadata` of the MCP tools.
 * The name is not verified and decides nothing.
 */
export function parseAssistant(ctx: Context): string | undefined {
  if (parseChangeSource(ctx) !== 'mcp') return undefined
  const { assistant = '' } = parseMetadata(ctx.get('burgee-referrer-metadata'))
  // The cut may have split a surrogate pair.
  return (
    sanitizeLine(assistant)
      .slice(0, MAX_ASSISTANT_NAME_LENGTH)
      .replace(/\p{Cs}$/u, '')
      .trimEnd() || undefined
  )
}

const Metadata = z.object({ assistant: z.string().optional() })

/** Parses the header. Invalid metadata is ignored: the request does not depend on it. */
function parseMetadata(header: string): z.infer<typeof Metadata> {
  try {
    return Metadata.parse(JSON.parse(header))
  } catch {
    return {}
  }
}
