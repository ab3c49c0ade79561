import { isObject } from '../isObject.ts'
import { showAny } from './form.ts'
import { type Arrival, type Intake, takeIn } from './intake.ts'

/** Takes the good events of what one user did. */
export async function takeOne(body: unknown, arrival: Arrival): Promise<Intake> {
  return body === undefined ? refused(TOO_LARGE) : takeIn([{ path: [], said: body }], arrival)
}

/** Takes the good events of what several users did. */
export async function takeBatch(body: unknown, arrival: Arrival): Promise<Intake> {
  if (body === undefined) return refused(TOO_LARGE)
  if (!isObject(body)) return refused(`the body should be an object with a batch, got ${showAny(body)}`)
  const { batch } = body
  if (!Array.isArray(batch)) return refused(`batch should be a list, got ${showAny(batch)}`)
  return takeIn(
    batch.map((said: unknown, index) => ({ path: ['batch', index], said })),
    arrival
  )
}

/** Of a body that nobody looked at. */
const TOO_LARGE = 'the body has more bytes or more values than are looked at; it should come in smaller pieces'

function refused(message: string): Intake {
  return { reports: [], payloadId: undefined, accepted: 0, refused: 1, mistakes: [{ path: [], message }] }
}
