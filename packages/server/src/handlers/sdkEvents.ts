import type { EventsReceived } from '@burgee/contract'
import type { SdkCaller } from '../caller.ts'
import type { Configs } from '../configs/configs.ts'
import { arrivalOf } from '../events/arrival.ts'
import { entryOf } from '../events/entryOf.ts'
import type { Intake } from '../events/intake.ts'
import { written } from '../events/mistake.ts'
import { takeBatch, takeOne } from '../events/payload.ts'
import { receiptOf } from '../events/receipt.ts'
import type { Recorder } from '../events/recorder.ts'
import type { Validate } from '../validate.ts'
import type { Handlers } from './handler.ts'

interface Dependencies {
  readonly recorder: Pick<Recorder, 'append'>
  readonly validate: Validate
  readonly now: () => number
  readonly configs: Pick<Configs, 'current'>
  /** Told how many events were accepted, and how many were not. */
  readonly onEvents: (accepted: number, refused: number) => void
}

/** Takes in what SDKs report. Bad events are told in the answer and nowhere else: SDKs repeat what is refused for ever. */
export function sdkEvents({
  recorder,
  validate,
  now,
  configs,
  onEvents
}: Dependencies): Pick<Handlers, 'sendEvents' | 'sendEventBatches'> {
  const keep = async (
    intake: Intake,
    caller: SdkCaller,
    operation: 'sendEvents' | 'sendEventBatches'
  ): Promise<EventsReceived> => {
    const { accepted, refused } = intake
    const entrance = { operation, sdkType: caller.keyType, at: now() }
    if (accepted > 0) await recorder.append(entryOf(intake, caller, entrance))
    onEvents(accepted, refused)
    return toAnswer(intake)
  }
  const world = { validate, configs }

  return {
    sendEvents: async ({ body, query: { obfuscated: isObfuscated }, headers }, caller) =>
      keep(await takeOne(body, arrivalOf(caller, { headers, isObfuscated }, world)), caller, 'sendEvents'),

    sendEventBatches: async ({ body, headers }, caller) =>
      keep(await takeBatch(body, arrivalOf(caller, { headers }, world)), caller, 'sendEventBatches')
  }
}

function toAnswer({ accepted, refused, mistakes }: Intake): EventsReceived {
  return {
    message: `${receiptOf(accepted)}${refused > 0 ? `, refused ${refused}` : ''}`,
    accepted,
    refused,
    mistakes: mistakes.map(({ path, message }) => ({ path: written(path), message }))
  }
}
