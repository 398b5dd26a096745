// Prevents nested proxies: the test pool wraps a class's prototype in another proxy for each new object, so after a
// thousand carts each call passes a thousand proxies (workers-sdk#15092, fixed after 0.23.0). Here only the first is
// used.
const shared = globalThis as { hasOneProxy?: true };
if (!shared.hasOneProxy) {
  shared.hasOneProxy = true;
  const Native = globalThis.Proxy;
  const prototypes = new WeakSet<object>();
  const isPoolProxy = (target: object, { get }: ProxyHandler<object>) =>
    Object.hasOwn(target, "constructor") && get !== undefined && String(get).includes("getUnknownPrototypeKey");

  globalThis.Proxy = new Native(Native, {
    construct(_, [target, handler]: [object, ProxyHandler<object>]) {
      if (prototypes.has(target)) return target;
      const proxy = new Native(target, handler);
      if (isPoolProxy(target, handler)) prototypes.add(proxy);
      return proxy;
    },
  });
}
