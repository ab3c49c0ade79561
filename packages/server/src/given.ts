/** An object without the members that are `undefined`, which a store would take for members to take away. */
export function given<T extends object>(members: T): Given<T> {
  // Nothing but the undefined members is left out.
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Given<T>
}

type Given<T> = { [M in keyof T as undefined extends T[M] ? never : M]: T[M] } & {
  [M in keyof T as undefined extends T[M] ? M : never]?: Exclude<T[M], undefined>
}
