import { ApiError } from '@burgee/contract/client'
import { parseJson } from '@burgee/kit'
import { limitBody } from '@burgee/sign-in'
import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream'
import { ResponseError } from './failures/errors.ts'
import type { Session } from './session.ts'

/**
 * Opens the stream of the changes of the project. Later changes than `lastEventId` are repeated.
 * @throws {ApiError} if the server refuses it.
 * @throws {ResponseError} if the response is no stream.
 */
export async function openChanges(
  { server, account, project }: Session,
  { lastEventId, signal }: { readonly lastEventId?: string | undefined; readonly signal?: AbortSignal } = {}
): Promise<ReadableStream<EventSourceMessage>> {
  const token = await account.tokens.getToken('streamChanges')
  const response = await fetch(`${server}/v1/projects/${encodeURIComponent(project())}/changes`, {
    headers: {
      accept: 'text/event-stream',
      authorization: `Bearer ${token}`,
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId })
    },
    // As for all other requests.
    redirect: 'error',
    ...(signal && { signal })
  })
  const { ok, status, headers, body } = response
  if (!ok) {
    const refusal = await new Response(body && limitBody(body)).text()
    throw new ApiError('streamChanges', status, parseJson(refusal) ?? refusal, headers)
  }
  const type = headers.get('content-type') ?? 'no type'
  if (body && type.startsWith('text/event-stream')) {
    return body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream({ maxBufferSize: MAX_MESSAGE_CHARACTERS }))
  }
  await body?.cancel()
  throw new ResponseError(`the stream of changes does not open: the server returned ${type}`)
}

/** The longest message of a stream, in characters. */
const MAX_MESSAGE_CHARACTERS = 1024 * 1024
