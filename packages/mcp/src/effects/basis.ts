/** What an effect is made from that makes something new. */
export const ABSENT = 'absent'

/** Which version of something an effect was made from. */
export function basisOf({ _id, updatedAt }: { readonly _id: string; readonly updatedAt: string }): string {
  return `${_id} ${updatedAt}`
}
