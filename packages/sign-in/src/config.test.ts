import { describe, expect, it } from 'vitest'
import { createConfig } from './config.ts'

const here = { protocol: 'https:', hostname: 'app.example', port: '8443' }

describe('createConfig (§7)', () => {
  it('falls back to the location', () => {
    expect(createConfig({}, here)).toEqual({
      baseUrl: 'https://app.example:8443',
      socketUrl: 'wss://app.example:8443/sockets',
      linkBase: '',
    })
  })

  it('takes each missing part from the location', () => {
    expect(createConfig({ scheme: 'http' }, here).baseUrl).toBe('http://app.example:8443')
    expect(createConfig({ host: 'gate.example' }, here).baseUrl).toBe('https://gate.example:8443')
    expect(createConfig({ port: 9000 }, here).baseUrl).toBe('https://app.example:9000')
    expect(createConfig({ port: '' }, here).baseUrl).toBe('https://app.example')
  })

  it('uses wss with https and ws with http', () => {
    expect(createConfig({ scheme: 'https:', host: 'g', port: 1 }, here).socketUrl).toBe('wss://g:1/sockets')
    expect(createConfig({ scheme: 'HTTP', host: '[::1]', port: 1 }, here).socketUrl).toBe('ws://[::1]:1/sockets')
  })

  it.each(['gate', '/gate', '/gate/', 'gate//'])('accepts the base path %s', basePath => {
    expect(createConfig({ basePath }, here)).toEqual({
      baseUrl: 'https://app.example:8443/gate',
      socketUrl: 'wss://app.example:8443/gate/sockets',
      linkBase: '/gate',
    })
  })

  it.each(['', '/', '//'])('treats the base path "%s" as none', basePath => {
    expect(createConfig({ basePath }, here).baseUrl).toBe('https://app.example:8443')
  })

  it('links to another server by its full address', () => {
    expect(createConfig({ host: 'gate.example', basePath: '/in' }, here).linkBase).toBe('https://gate.example:8443/in')
  })

  it('returns relative addresses without a location, with the same links as in the browser', () => {
    const rendered = createConfig({ basePath: '/in' }, undefined)
    expect(rendered).toEqual({ baseUrl: '/in', socketUrl: '/in/sockets', linkBase: '/in' })
    expect(rendered.linkBase).toBe(createConfig({ basePath: '/in' }, here).linkBase)
  })
})
