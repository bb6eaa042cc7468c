import { isCall, json, type PlantedFault, signIn } from './planting.ts'

/** Faults in feature flags, response headers and live updates, and faults that open the server to other sites. */
export const browserFaults: PlantedFault[] = [
  {
    fault: 'feature flags are a list',
    named: ['features/all'],
    plant: {
      change: passing => {
        if (passing.of === 'GET /features/check') passing.body = '[]'
      },
    },
  },
  {
    fault: 'live updates are open to every origin',
    named: ['sockets/foreign-origin'],
    plant: {
      asks: (headers, of) => {
        if (of === 'GET /sockets') headers.origin = 'http://localhost:8080'
      },
    },
  },
  {
    fault: 'calls are open to every origin',
    named: ['browser/foreign-origin', 'browser/cross-site'],
    plant: {
      asks: (headers, of) => {
        if (of === signIn) {
          headers.origin = 'http://localhost:8080'
          delete headers['sec-fetch-site']
        }
      },
    },
  },
  {
    fault: 'every origin may read responses',
    named: ['browser/cors'],
    plant: {
      change: passing => {
        passing.headers['access-control-allow-origin'] = String(passing.sent.headers.origin ?? '*')
        passing.headers['access-control-allow-credentials'] = 'true'
      },
    },
  },
  {
    fault: 'forms of other sites are read as JSON',
    named: ['browser/json-only'],
    plant: {
      asks: (headers, of) => {
        if (of === signIn) headers['content-type'] = 'application/json'
      },
    },
  },
  {
    fault: 'GET signs in',
    named: ['browser/method'],
    plant: {
      change: passing => {
        if (passing.of === 'GET /auth/page/plow/getAuthTokenWithError') json(passing, 200, { tag: 'AuthFailureFailedLogin' })
      },
    },
  },
  {
    fault: 'outcomes are text/html',
    named: ['responses/json'],
    plant: {
      change: passing => {
        if (isCall(passing) && passing.status === 200) passing.headers['content-type'] = 'text/html'
      },
    },
  },
  {
    fault: 'outcomes may be stored',
    named: ['responses/no-store'],
    plant: {
      change: passing => {
        if (isCall(passing)) delete passing.headers['cache-control']
      },
    },
  },
  {
    fault: 'responses may be sniffed',
    named: ['responses/nosniff'],
    plant: { change: passing => void delete passing.headers['x-content-type-options'] },
  },
  {
    fault: 'the first message of live updates has an unknown tag',
    named: ['sockets/message'],
    plant: { frames: text => text.replace('"Nonce"', '"Nonse"') },
  },
  {
    fault: 'live updates refuse the pages of the server',
    named: ['sockets/open'],
    plant: {
      asks: (headers, of) => {
        if (of === 'GET /sockets') headers.origin = 'https://evil.example'
      },
    },
  },
]
