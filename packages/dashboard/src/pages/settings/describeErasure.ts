import type { UserDataErasure } from '@burgee/contract/schemas'

/** Says what an erasure removed. */
export function describeErasure({ edgeData, optIns, overrides, events, otherUsers }: UserDataErasure): string {
  const parts = [
    count(edgeData, 'record of properties', 'records of properties'),
    count(optIns, 'record of opt-in choices', 'records of opt-in choices'),
    count(overrides, 'override', 'overrides'),
    count(events, 'event', 'events'),
    count(otherUsers, 'reference in data of another user', 'references in data of other users')
  ].filter((part) => part !== '')
  if (parts.length === 0) return 'Nothing was stored about this user.'
  return `Erased: ${new Intl.ListFormat('en').format(parts)}. The server’s files no longer contain the ID.`
}

function count(number: number, one: string, many: string): string {
  if (number === 0) return ''
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`
}
