using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (services = [(name = "main", worker = .worker)]);

const worker :Workerd.Worker = (
  modules = [(name = "main", esModule = embed "bundle.mjs")],
  compatibilityDate = "2026-01-01"
);
