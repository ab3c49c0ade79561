import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { escapeControlCharacters } from '@burgee/kit/text'
import { NotConfirmedError } from './failures/errors.ts'

/** Asks a person. A `hidden` answer, such as a secret, is not shown while it is typed. */
export type Ask = (question: string, answered?: 'hidden') => Promise<string>

/**
 * Returns a function that asks a person. It rejects with a `NotConfirmedError` if the input ends, as with Ctrl-D.
 * @param interrupt Handles Ctrl-C, which would only end the question.
 */
export function askOn(input: NodeJS.ReadableStream, output: NodeJS.WritableStream, interrupt: () => void): Ask {
  return (question, answered) =>
    new Promise((resolve, reject) => {
      const isHidden = answered === 'hidden'
      // In terminal mode, readline echoes what is typed to its output, which is discarded here.
      const lines = createInterface(
        isHidden ? { input, output: new PassThrough().resume(), terminal: true } : { input, output }
      )
      let isAnswered = false
      lines.on('SIGINT', () => {
        output.write('\n')
        interrupt()
      })
      lines.on('close', () => {
        if (isAnswered) return
        output.write('\n')
        reject(new NotConfirmedError('nothing was changed: the question was not answered'))
      })
      const text = escapeControlCharacters(question)
      if (isHidden) output.write(text)
      lines.question(text, (answer) => {
        isAnswered = true
        if (isHidden) output.write('\n')
        resolve(answer)
        lines.close()
      })
    })
}
