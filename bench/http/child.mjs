import { fork } from 'node:child_process'
import { once } from 'node:events'
import { own } from '../lib/cleanUp.mjs'

/** Starts a program of this folder in its own process. */
export function childOf(name) {
  const child = own(fork(new URL(name, import.meta.url)))
  const exited = once(child, 'exit').then(([code]) => {
    throw new Error(`${name} ended with code ${code}`)
  })
  exited.catch(() => {})
  const ask = async (question) => {
    child.send(question)
    const [answer] = await Promise.race([once(child, 'message'), exited])
    return answer
  }
  return { pid: child.pid, ask, stop: () => child.kill() }
}

/** Answers the questions of the parent process one after the other. */
export function onQuestion(answer) {
  // The parent process was killed.
  process.once('disconnect', () => process.exit())
  process.on('message', async (question) => process.send(await answer(question)))
}

/** Sets the answer of each question of the parent process, and returns the port of the server, which listens from then on. */
export function answerWith(server, setAnswer) {
  onQuestion(async ({ answer }) => {
    setAnswer(answer)
    if (!server.listening) {
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
    }
    return { port: server.address().port }
  })
}
