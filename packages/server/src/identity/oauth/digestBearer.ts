import { createHash } from 'node:crypto'

/** The digest under which state is stored, of its model and its bearer value. */
export function digestBearer(model: string, value: string): string {
  return createHash('sha256').update(`${model}:${value}`).digest('hex')
}

/** The digest under which a device code is found by its user code, in capital letters without separators. */
export function digestUserCode(userCode: string): string {
  return digestBearer('UserCode', userCode)
}
