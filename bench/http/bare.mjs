import { createServer } from 'node:http'
import { parse } from 'node:querystring'
import { answerWith } from './child.mjs'

/** The answer, which is made text again for each request. Without one, the response is a 304. */
let answer

/** The least that a JSON server does: it reads and parses the body or the query, and stringifies an answer. */
const server = createServer((request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const isGet = request.method === 'GET'
    const body = isGet ? parse(request.url.split('?')[1]) : JSON.parse(Buffer.concat(chunks).toString())
    if (typeof body !== 'object') throw new TypeError('the body should be an object')
    if (answer === undefined) {
      response.writeHead(304).end()
      return
    }
    const text = JSON.stringify(answer)
    const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(text) }
    response.writeHead(200, headers).end(text)
  })
})

answerWith(server, (given) => {
  answer = given
})
