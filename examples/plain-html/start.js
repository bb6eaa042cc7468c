window.Gatehouse.mountSignIn('#sign-in', {
  server: window.gatehouseServer,
  slots: { footer: element => element.append('Trouble? Call 1234.') },
})
