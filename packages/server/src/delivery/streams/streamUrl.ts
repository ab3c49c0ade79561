import { operations } from '@burgee/contract'

/** The URL of a stream with these parameters; relative to the origin that callers use if there is no public URL. */
export function streamUrl(publicUrl: string, parameters: Readonly<Record<string, string>>): string {
  return `${publicUrl.replace(/\/+$/, '')}${operations.streamEvents.path}?${new URLSearchParams(parameters)}`
}
