import Fastify from 'fastify'
import { onQuestion } from './child.mjs'

/** The answer, which Fastify makes text again for each request. Without one, the response is a 304. */
let answer

const app = Fastify()
app.post('/*', (request, reply) => respond(request.body, reply))
app.get('/*', (request, reply) => respond(request.query, reply))

function respond(input, reply) {
  if (typeof input !== 'object') throw new TypeError('the input should be an object')
  if (answer === undefined) reply.code(304).send()
  else reply.send(answer)
}

onQuestion(async (question) => {
  answer = question.answer
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
  return { port: app.server.address().port }
})
