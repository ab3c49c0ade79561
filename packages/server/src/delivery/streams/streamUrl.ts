import { operations } from '@burgee/contract'

/** Where changes are told as they happen, to those whom the parameters let in; without a public URL, on the origin that callers ask already. */
export function streamUrl(publicUrl: string, parameters: Readonly<Record<string, string>>): string {
  return `${publicUrl.replace(/\/+$/, '')}${operations.streamEvents.path}?${new URLSearchParams(parameters)}`
}
