import { createServer } from 'node:http'
import Router from '@koa/router'
import Koa from 'koa'
import { answerWith } from './child.mjs'

/** The answer, which Koa makes text again for each request. Without one, the response is a 304. */
let answer

const router = new Router()
router.post('/{*path}', async (context) => {
  const chunks = []
  for await (const chunk of context.req) chunks.push(chunk)
  const body = JSON.parse(Buffer.concat(chunks).toString())
  if (typeof body !== 'object') throw new TypeError('the body should be an object')
  respond(context)
})
router.get('/{*path}', (context) => {
  if (typeof context.query !== 'object') throw new TypeError('the query should be an object')
  respond(context)
})

function respond(context) {
  if (answer === undefined) context.status = 304
  else context.body = answer
}

const server = createServer(new Koa().use(router.routes()).callback())

answerWith(server, (given) => {
  answer = given
})
