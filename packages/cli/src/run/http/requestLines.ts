import { isRecord, parseJson } from '@burgee/kit'
import { ResponseError } from '../failures/errors.ts'
import { type Connection, openRaw, type RawRequest } from './sendRaw.ts'

/** Sends a request, and returns the objects of its response, one per line, without keeping them. @throws {ApiError} */
export async function* requestLines(request: RawRequest, connection: Connection): AsyncGenerator<object, void> {
  const { body } = await openRaw(request, connection)
  let rest = ''
  for await (const text of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > MAX_LINE) throw new ResponseError(`${request.path} returned a line of more than 16 MiB`)
    for (const line of lines) if (line !== '') yield parseLine(line, request)
  }
  if (rest !== '') yield parseLine(rest, request)
}

/** In characters. As large as other responses can be. */
const MAX_LINE = 16 * 1024 * 1024

function parseLine(line: string, { path }: RawRequest): object {
  const parsed = parseJson(line)
  if (isRecord(parsed)) return parsed
  throw new ResponseError(`the server does not respond like a Burgee server: ${path} returned a line that is no object`)
}
